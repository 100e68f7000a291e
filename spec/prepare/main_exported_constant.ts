//# title = "an exported constant function that nothing calls is called"
//# [expect]
//# result = '8'
export const run = async () => 8;
