//# title = "comments before the form do not matter"
//# [expect]
//# result = '"found"'
// a program
/* that is
   one arrow */
async () => "found"
