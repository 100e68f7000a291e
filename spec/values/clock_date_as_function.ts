//# title = "Date() without new is the time as text"
//# [expect]
//# result = '["string",true]'
const text = Date();
return [typeof text, Math.abs(Date.parse(text) - Date.now()) < 5000];
