import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer } from './task.ts'

/** Runs tasks, each in a process of its own. One that fails costs its own figures and the exit code, not the others' figures. */
export class TaskRunner {
  readonly #say: (line: string) => void
  readonly #quick: boolean
  /** The bench folder of the checkout that is measured. */
  readonly #folder: URL

  constructor(say: (line: string) => void, quick: boolean, folder = new URL('./', import.meta.url)) {
    this.#say = say
    this.#quick = quick
    this.#folder = folder
  }

  async measure<Outcome>(task: string, argument = ''): Promise<Outcome | undefined> {
    const name = `${task} ${argument}`.trimEnd()
    this.#say(`measuring ${name}`)
    const child = fork(
      fileURLToPath(new URL('task.ts', this.#folder)),
      [task, argument, this.#quick ? 'quick' : 'thorough'],
      {
        execArgv: ['--max-old-space-size=6144'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' },
      },
    )
    const answer = await new Promise<Answer<Outcome>>(resolve => {
      child.on('message', message => resolve(message as Answer<Outcome>))
      child.on('close', code => resolve({ error: `its process ended with code ${code}` }))
    })
    if ('outcome' in answer) return answer.outcome
    this.#say(`${name} failed: ${answer.error}`)
    process.exitCode = 1
    return undefined
  }

  /** Once for each argument; those that failed are left out. */
  async measureAll<Outcome>(task: string, each: string[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const argument of each) {
      const outcome = await this.measure<Outcome>(task, argument)
      if (outcome !== undefined) outcomes.push(outcome)
    }
    return outcomes
  }
}
