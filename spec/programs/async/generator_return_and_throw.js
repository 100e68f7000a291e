function* session() {
  const log = [];
  try {
    let n = 0;
    while (true) {
      try {
        const received = yield n++;
        log.push(`got ${received}`);
      } catch (e) {
        log.push(`caught ${e.message}`);
      }
    }
  } finally {
    log.push('closed');
    yield log;
  }
}
const it = session();
const steps = [it.next(), it.next('a'), it.throw(new Error('oops')), it.next('b'), it.return('done'), it.next(), it.next()];
return steps;
