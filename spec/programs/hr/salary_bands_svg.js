const employees = await tools.hr.employees.list({});
const max = Math.max(...employees.map((e) => e.salary));
const bars = employees
  .toSorted((a, b) => b.salary - a.salary)
  .map(({ name, salary }, i) => `  <rect x="0" y="${i * 20}" width="${((salary / max) * 300).toFixed(1)}" height="16"><title>${name.replace(/[<>&"']/g, (c) => '&#' + c.charCodeAt() + ';')}: ${Math.round(salary / 1000)}k</title></rect>`);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 ${employees.length * 20}">
${bars.join('\n')}
</svg>`;
await tools.files.write({ path: 'salaries.svg', content: svg });
return { bytes: new TextEncoder().encode(svg).byteLength, first: bars[0].trim() };
