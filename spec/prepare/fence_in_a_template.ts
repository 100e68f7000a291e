//# title = "a fence inside of a template is text of the program"
//# [expect]
//# result = '5'
const text = `
\`\`\`js
code
\`\`\`
`;
return text.split("\n").length;
