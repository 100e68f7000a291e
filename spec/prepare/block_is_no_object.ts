//# title = "braces at the start are a block"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
{
  label: 1
}
