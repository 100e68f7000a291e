//# title = "columns count characters: a tab is one"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 9
//# column = 22
{
		const a = 1;	throw new Error("here");
}
