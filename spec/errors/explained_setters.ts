//# title = "a property without a setter, and a private one of undefined, are named"
//# differsFromNode = "the texts are our own"
//# [expect]
//# result = '["cannot set \"owner\": it has no setter","cannot set \"0\": it has no setter","cannot set \"owner\": it has no setter","cannot read \"#balance\" of undefined: account is undefined","cannot read \"#balance\" of a number: account is a number","cannot set \"#balance\" of null: account is null","cannot read a private method of undefined","cannot read \"#balance\" of undefined: account is undefined"]'
const messages: string[] = [];
const attempt = (action: () => unknown) => { try { action(); messages.push("no error"); } catch (error) { messages.push(error.message); } };
class Account {
  #balance = 1;
  static of(account: any) { return account.#balance; }
  static pay(account: any) { account.#balance = 2; }
  static check(account: any) { return account.#audit(); }
  get owner() { return "Ada"; }
  #audit() { return true; }
  later() { return function (this: any) { return Account.of(this); }; }
}
const account: any = new Account();
attempt(() => { account.owner = "Eve"; });
attempt(() => { Object.freeze({ get 0() { return 1; } } as any)[0] = 2; });
attempt(() => { Reflect.set(account, "owner", 1) || account["owner"]++; });
attempt(() => Account.of(undefined));
attempt(() => Account.of(5));
attempt(() => Account.pay(null));
attempt(() => Account.check(undefined));
attempt(() => account.later()());
return messages;
