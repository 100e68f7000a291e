//# title = "a result whose then calls back twice is what it said first"
//# [expect]
//# result = '1'
return { then(resolve: any, reject: any) { resolve(1); resolve(2); reject(new Error("late")); throw new Error("later"); } };
