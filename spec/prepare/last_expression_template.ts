//# title = "a template is a last expression"
//# [expect]
//# result = '"hello Ada"'
const name = "Ada";
`hello ${name}`
