import { openTape } from '../../../src/observe/tape/index.ts'

/** One of several processes that write to one tape: a file, how many entries, and how long each of them is. */
const [file, count, length] = process.argv.slice(2)
const tape = openTape(file, { redact: false })
for (let index = 0; index < Number(count); index++) tape.input({ content: `${index}:${'é'.repeat(Number(length))}` })
