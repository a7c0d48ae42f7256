import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onlyAnswer } from './model.ts'
import { antiphon, killMarked, serve, start } from './processes.ts'
import type { Program } from './programs.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { type Said, saidIn } from './said.ts'
import { briefly, endOf, environment } from './stage.ts'
import { differences, snapshot } from './store.ts'

/** A program that sessions are moved from and to. */
export interface Mover {
  readonly program: Program
  readonly command: readonly string[]
}

/** What became of a session that was moved from one program to another. */
export interface MoveOutcome {
  readonly from: Program
  readonly to: Program
  /** What arrived, in a few words. */
  result: string
  readonly faults: string[]
}

/** Moves a session of each program to every other one, and resumes it there. All use one home and one folder. */
export async function tryMoves(movers: readonly Mover[], tell: (line: string) => void): Promise<MoveOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-moves-'))
  const outcomes: MoveOutcome[] = []
  try {
    await using client = await startRecorder()
    await using strict = await serve(['strict', '--script', join(import.meta.dirname, 'model.ts')])
    client.target = strict.url
    const stage: MoveStage = { folder, client, rejections: () => rejectionsIn(strict.heard.stderr) }
    const sessions = new Map<Mover, Original | string>()
    for (const mover of movers) {
      const original = await runOnce(mover, stage).catch(String)
      sessions.set(mover, original)
      tell(`${mover.program.title}: ${typeof original === 'string' ? original : 'has a session'}`)
    }
    for (const [from, original] of sessions)
      for (const to of movers) {
        if (from === to) continue
        const outcome: MoveOutcome = { from: from.program, to: to.program, result: '-', faults: [] }
        outcomes.push(outcome)
        if (typeof original === 'string') outcome.faults.push(original)
        else await moveOnce(original, to, stage, outcome).catch(error => outcome.faults.push(String(error)))
        tell(`${from.program.title} to ${to.program.title}: ${outcome.faults.join('; ') || outcome.result}`)
      }
  } finally {
    killMarked(`ANTIPHON_TRIAL=${folder}`)
    if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    else tell(folder)
  }
  return outcomes
}

interface MoveStage {
  readonly folder: string
  readonly client: Recorder
  rejections(): readonly string[]
}

/** A session as its own program sent it last, and where it is. */
interface Original {
  readonly path: string
  readonly session: string
  readonly said: readonly Said[]
}

const rejectionsIn = (told: string): string[] =>
  told.split('\n').filter(line => /^\d{3} /.test(line) && !/^(200|426) /.test(line))

const prompt = 'Please run ((echo one)) and run ((echo two)), and then run ((printf real-%s 42)), and say what it said.'

/** Runs a program once, so that it has a session. */
async function runOnce({ program, command }: Mover, stage: MoveStage): Promise<Original> {
  const { folder, client } = stage
  const env = environment(program, client.url, folder)
  const before = new Set((await sessionsIn(program, stage)).map(({ id }) => id))
  const sent = client.requests.length
  const said = await endOf(
    start(command[0], [...command.slice(1), ...program.run(prompt)], { cwd: join(folder, 'work'), env }),
    180,
  )
  if (!said?.stdout.includes('real-42')) throw new Error(`it did not end with the output of its tool: ${briefly(said)}`)
  const [made, ...others] = (await sessionsIn(program, stage)).filter(({ id }) => !before.has(id))
  if (!made || others.length > 0) throw new Error(`it made ${others.length + (made ? 1 : 0)} sessions`)
  const last = client.requests.slice(sent).filter(({ method, body }) => method === 'POST' && body.length > 0)
  const histories = last.map(({ body }) => saidIn(JSON.parse(body.toString())))
  const longest = histories.reduce((one, other) => (other.length > one.length ? other : one), [])
  if (ofTheTurn(longest).length !== 7) throw new Error(`it sent something else: ${JSON.stringify(ofTheTurn(longest))}`)
  return { path: made.path, session: made.id, said: ofTheTurn(longest) }
}

/** What the model and the user said and did, without what the program adds; and the answer, which no request holds yet. */
function ofTheTurn(said: readonly Said[]): readonly Said[] {
  const own = said.flatMap((one): Said[] => {
    if (one.kind === 'call') return [one]
    if (one.text.includes(prompt)) return [{ kind: 'text', text: prompt }]
    return one.text === 'I run it.' ? [one] : []
  })
  return [...own, { kind: 'text', text: 'It said:' }]
}

/** The sessions that the doctor finds in the store of a program. */
async function sessionsIn(program: Program, { folder }: MoveStage): Promise<{ id: string; path: string }[]> {
  const store = join(folder, 'home', program.store)
  const { stdout = '' } = (await endOf(antiphon(['doctor', '--json', '--all', store], own(folder)), 120)) ?? {}
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
    .flatMap(({ conversation: id, path }) => (typeof id === 'string' ? [{ id, path: String(path) }] : []))
}

const own = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: join(folder, 'home'),
  CODEX_HOME: undefined,
})

async function moveOnce(original: Original, to: Mover, stage: MoveStage, outcome: MoveOutcome): Promise<void> {
  const { folder, client } = stage
  const { program, command } = to
  if (!program.move) throw new Error(`${program.title} has no way to resume a moved session`)
  const env = environment(program, client.url, folder)
  const work = join(folder, 'work')
  const store = join(folder, 'home', outcome.from.store)
  const before = snapshot(store)
  const args = ['move', original.path, '--session', original.session, '--to', program.move.to, '--json']
  const moved = await endOf(antiphon(args, own(folder), work), 120)
  if (moved?.code !== 0) throw new Error(`move: ${briefly(moved)}`)
  const changed = differences(before, snapshot(store))
  if (changed.length > 0) outcome.faults.push(`the original was changed: ${changed}`)
  const rejected = stage.rejections().length
  const sent = client.requests.length
  const resume = program.move.resume(JSON.parse(moved.stdout), `And now? ${onlyAnswer}`)
  const said = await endOf(start(command[0], [...command.slice(1), ...resume], { cwd: work, env }), 180)
  if (!said?.stdout.includes('It said:')) outcome.faults.push(`resumed, it did not answer: ${briefly(said)}`)
  outcome.faults.push(...stage.rejections().slice(rejected))
  const bodies = client.requests.slice(sent).filter(({ method, body }) => method === 'POST' && body.length > 0)
  const arrived = bodies.map(({ body }) => saidIn(JSON.parse(body.toString())))
  const missing = arrived.map(one => firstMissing(original.said, one))
  if (!missing.includes(undefined)) outcome.faults.push(missing[0] ?? 'it sent no request')
  const calls = original.said.filter(({ kind }) => kind === 'call').length
  outcome.result = `${original.said.length - calls} texts, ${calls} calls`
}

/** The first text or call that did not arrive after those before it. */
function firstMissing(expected: readonly Said[], arrived: readonly Said[]): string | undefined {
  let at = 0
  for (const one of expected) {
    const found = arrived.findIndex((other, index) => index >= at && isSame(one, other))
    if (found < 0) return `did not arrive: ${JSON.stringify(one)}`
    at = found + 1
  }
  return undefined
}

const isSame = (one: Said, other: Said): boolean =>
  one.kind === other.kind &&
  other.text.includes(one.text.trim()) &&
  (one.result === undefined || other.result?.trim() === one.result.trim())
