// Получаем список сотрудников — группируем по отделам
const сотрудники = await tools.hr.employees.list({});
// 部門ごとの人数を数える
const 部門 = {};
for (const e of сотрудники) 部門[e.department] = (部門[e.department] ?? 0) + 1;
/* النتيجة النهائية */
const größte = Object.entries(部門).sort((a, b) => b[1] - a[1])[0]; // größte Abteilung
return { 部門, größte, café: '☕' };
