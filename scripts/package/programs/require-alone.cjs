// Requires one subpath, in a process of its own.
const names = Object.keys(require(process.argv[2])).filter(name => name !== '__esModule')
if (names.length === 0) throw new Error('it exports nothing')
console.log(names.join(' '))
