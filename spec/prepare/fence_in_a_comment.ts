//# title = "a fence inside of a comment is part of the comment"
//# [expect]
//# result = '1'
/*
```js
return 2;
```
*/
return 1;
