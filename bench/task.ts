/** One measurement in a process of its own, so that none inherits the heap or the compiled code of another. */
export type Answer<Outcome> = { outcome: Outcome } | { error: string }

/** How thorough a measurement is to be. */
export interface Choice {
  quick: boolean
}

const [name, argument, pace] = process.argv.slice(2)
// Nobody waits for the answer of an orphan.
process.on('disconnect', () => process.exit(1))
const answer: Answer<unknown> = await work().then(
  outcome => ({ outcome }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
)
if (process.send) process.send(answer, () => process.exit())
else console.log(JSON.stringify(answer, null, 2))

async function work(): Promise<unknown> {
  const task = (await import(new URL(`tasks/${name}.ts`, import.meta.url).href)) as {
    run(argument: unknown, choice: Choice): unknown
  }
  return task.run(Number.isNaN(Number(argument)) ? argument : Number(argument), { quick: pace === 'quick' })
}
