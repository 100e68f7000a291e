const { content } = await tools.files.read({ path: 'config/service.env' });
const mask = (value) => value.length <= 4 ? '*'.repeat(value.length) : value.slice(0, 2) + '*'.repeat(value.length - 4) + value.slice(-2);
const masked = content.replace(/(?<=:\/\/[^:\s]+:)[^@\s]+(?=@)/g, mask)
  .replace(/^(export\s+)?([A-Z_]+)=(['"]?)(.*?)\3$/gm, (all, exp = '', key, quote, value) =>
    /URL|KEY|SECRET/.test(key) ? `${exp}${key}=<${value.length} chars>` : all);
return masked.split('\n');
