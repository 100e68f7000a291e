//# title = "an enum has its names, numbers and reverse names"
//# [expect]
//# result = '[0,5,6,"Blue",6]'
enum Color { Red, Green = 5, Blue }
return [Color.Red, Color.Green, Color.Blue, Color[6], Object.keys(Color).length];
