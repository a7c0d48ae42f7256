// Imports one subpath, in a process of its own.
const names = Object.keys(await import(process.argv[2]))
if (names.length === 0) throw new Error('it exports nothing')
console.log(names.join(' '))
