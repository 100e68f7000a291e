//# title = "export default of a named export is the program"
//# [expect]
//# result = '"by name"'
const main = async () => "by name";
export { main as default };
