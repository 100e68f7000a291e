const path = require('path');
const segments = ['/srv', 'app', '..', 'data', './reports//2025'];
const file = await tools.files.read({ path: 'reports/sales.csv' });
return {
  join: path.join(...segments),
  resolve: path.resolve('/a/b', '../c', 'd.txt'),
  dirname: path.dirname(file.path),
  basename: path.basename(file.path, '.csv'),
  extname: ['a.tar.gz', '.bashrc', 'noext', 'x.'].map((p) => path.extname(p)),
  relative: path.relative('/a/b/c', '/a/d'),
  format: path.format({ dir: '/tmp', name: 'x', ext: '.md' }),
  sep: path.sep + path.delimiter,
  posix: path.posix.normalize('/a/./b/../c/'),
};
