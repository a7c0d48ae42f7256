import { complaint, heal } from './helpers.ts'

/** Repairs a database in a separate process, and writes down the error. */
const [path, folder] = process.argv.slice(2)
console.log(complaint(await heal(path, folder)))
