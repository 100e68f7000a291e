// 电话号码规范化:把所有联系人的电话统一成 E.164 格式
const contacts = await tools.crm.contacts.list();

function normalize(phone, defaultCountry = '+1') {
  const digits = phone.replace(/[^\d+]/g, '');
  if (digits.startsWith('+')) return digits;
  if (digits.startsWith('0')) return '+49' + digits.slice(1);
  return defaultCountry + digits;
}

const result = contacts.map(c => ({
  name: `${c.firstName} ${c.lastName}`,
  原始: c.phone,
  规范: normalize(c.phone),
  valid: /^\+[1-9]\d{6,14}$/.test(normalize(c.phone)),
}));
return result;
