import { complaint, heal } from './ground.ts'

/** Heals a database in a process of its own, and writes down what it complained of. */
const [path, folder] = process.argv.slice(2)
console.log(complaint(await heal(path, folder)))
