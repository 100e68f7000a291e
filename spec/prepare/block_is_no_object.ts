//# title = "braces at the start are a block"
//# [expect]
//# result = 'null'
{
  label: 1
}
