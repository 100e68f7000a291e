//# title = "export default of a promise is the program"
//# [expect]
//# result = '"settled"'
export default Promise.resolve("settled");
