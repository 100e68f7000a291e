//# title = "Promise.race takes the first, also when it fails"
//# [expect]
//# result = '["fast","first"]'
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const first = await Promise.race([sleep(30).then(() => "slow"), sleep(1).then(() => "fast")]);
const failed = await Promise.race([sleep(30), Promise.reject(new Error("first"))]).catch((error) => error.message);
return [first, failed];
