import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onlyAnswer } from './model.ts'
import { antiphon, type Ended, killMarked, type Running, serve, start, until } from './processes.ts'
import type { Program } from './programs.ts'
import { type Recorded, startRecorder } from './recorder.ts'
import { briefly, endOf, environment } from './stage.ts'
import { differences, hasGrown, snapshot } from './store.ts'

/** What became of one program. */
export interface Outcome {
  readonly program: Program
  /** How many requests it sent with a history in them. */
  requests: number
  rejected: number
  /** How many went through the proxy, and how many of these as they were sent. */
  through: number
  same: number
  live: string
  killed: string
  readonly faults: string[]
  /** Every body that it sent, in order. */
  readonly bodies: Recorded[]
}

/** Tries one program: alone, through the proxy with a long tool and the doctor beside it, and killed in the middle of a tool. */
export async function tryProgram(program: Program, command: readonly string[], seconds: number): Promise<Outcome> {
  const counts = { requests: 0, rejected: 0, through: 0, same: 0 }
  const outcome: Outcome = { program, ...counts, live: '-', killed: '-', faults: [], bodies: [] }
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-program-'))
  const mark = `ANTIPHON_TRIAL=${folder}`
  try {
    await using client = await startRecorder()
    await using upstream = await startRecorder()
    await using strict = await serve(['strict', '--script', join(import.meta.dirname, 'model.ts')])
    await using proxy = await serve(['proxy', '--port', '0', '--to', upstream.url])
    upstream.target = strict.url
    const stage: Stage = {
      ...{ program, command, folder, outcome },
      env: environment(program, client.url, folder),
      fail: words => outcome.faults.push(words),
    }
    client.target = upstream.url
    await alone(stage)
    client.target = proxy.url
    const [sent, came] = [client.requests.length, upstream.requests.length]
    await whileItRuns(stage, Math.min(seconds, program.secondsMax ?? seconds))
    compare(stage, client.requests.slice(sent), upstream.requests.slice(came))
    client.target = upstream.url
    await killed(stage)
    if (program.breaksOnResume) await brokenByResume(stage)
    // What the doctor cannot heal in the store, the proxy heals on its way.
    if (!program.isKnown) client.target = proxy.url
    const before = client.requests.length
    await resumed(stage)
    const wasRepaired = client.requests.slice(before).some(({ repairs }) => repairs !== undefined)
    if (wasRepaired) outcome.killed += ', repaired by the proxy'

    const told = strict.heard.stderr.split('\n').filter(line => /^\d{3} /.test(line) && !/^(200|426) /.test(line))
    outcome.rejected = told.length
    if (program.breaksOnResume && told.shift() === undefined) stage.fail('its own resume broke nothing')
    for (const line of told) stage.fail(`strict: ${line.slice(0, 300)}`)
    for (const request of client.requests) if (isHistory(request)) outcome.bodies.push(request)
    outcome.requests = outcome.bodies.length
  } catch (error) {
    outcome.faults.push(String(error))
  } finally {
    killMarked(mark)
    if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    else console.error(`${program.title} ${program.version}: ${folder}`)
  }
  return outcome
}

interface Stage {
  readonly program: Program
  readonly command: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly outcome: Outcome
  fail(words: string): void
}

const isHistory = ({ method, body }: Recorded): boolean => method === 'POST' && body.length > 0

const run = ({ command, env, folder }: Stage, args: string[]): Running =>
  start(command[0], [...command.slice(1), ...args], { cwd: join(folder, 'work'), env })

const resume = ({ program, command, env, folder }: Stage): Running => {
  const { resumer } = program
  const [file, ...args] = [...(resumer === undefined ? [] : [process.execPath, resumer]), ...command]
  return start(file, [...args, ...program.resume(`What did it say? ${onlyAnswer}`)], { cwd: join(folder, 'work'), env })
}

/** Two commands at once and then a third, whose output cannot be read off the command. */
const promptFor = (last: string): string =>
  `Please run ((echo one)) and run ((echo two)), and then run ((${last})), and say what it said.`

const real = 'real-42'
const printReal = 'printf real-%s 42'

async function alone(stage: Stage): Promise<void> {
  const said = await endOf(run(stage, stage.program.run(promptFor(printReal))), 180)
  if (!said?.stdout.includes(real)) stage.fail(`alone it did not end with the output of its tool: ${briefly(said)}`)
}

/** The doctor comes early and late while the program runs a tool; then the program goes on with what the tool gave. */
async function whileItRuns(stage: Stage, seconds: number): Promise<void> {
  const { program, outcome } = stage
  const running = run(
    stage,
    program.run(promptFor(`touch started; sleep ${seconds}; until [ -e go ]; do sleep 1; done; ${printReal}`)),
  )
  if (!(await hasStarted(stage, running)))
    return stage.fail(`it ran no tool: ${briefly({ code: null, ...running.heard })}`)
  const began = Date.now()
  const exits = new Set<string>()
  for (const part of [0.1, 0.7]) {
    await sleep(Math.max(0, began + seconds * part * 1000 - Date.now()))
    exits.add(await doctorBeside(stage))
  }
  // On a slow machine the doctor may take longer than that, and the tool waits for it.
  writeFileSync(join(stage.folder, 'work/go'), '')
  const said = await endOf(running, seconds + 180)
  if (!said?.stdout.includes(real)) stage.fail(`beside the doctor the output was lost: ${briefly(said)}`)
  outcome.live = [...exits].join(', ')
}

async function hasStarted({ folder }: Stage, { child }: Running): Promise<boolean> {
  const file = join(folder, 'work/started')
  await until(() => existsSync(file) || child.exitCode !== null, 180)
  return existsSync(file)
}

/** Runs the doctor on a store that is in use, and says how it ended. Every byte stays, but what the program itself writes. */
async function doctorBeside(stage: Stage): Promise<string> {
  const { program, env, folder } = stage
  const store = join(folder, 'home', program.store)
  const before = snapshot(store)
  await sleep(2_000)
  const own = new Set(differences(before, snapshot(store)))
  const ends: string[] = []
  for (const path of [[], [store]]) {
    const still = snapshot(store)
    const said = await doctor(stage, ['--fix', '--backup', join(folder, 'backups'), ...path], env)
    const now = snapshot(store)
    // A program that writes at the same moment appends; the doctor writes nothing without a backup, which is looked for below.
    const changed = differences(still, now).filter(file => !own.has(file) && !hasGrown(still.get(file), now.get(file)))
    for (const file of changed)
      stage.fail(`the doctor beside it changed ${file.slice(store.length + 1)}: ${briefly(said)}`)
    if (said.code !== 0 && said.code !== 1) stage.fail(`the doctor beside it failed: ${briefly(said)}`)
    ends.push(String(said.code))
  }
  if (existsSync(join(folder, 'backups'))) stage.fail('the doctor beside it wrote a backup')
  return `exit ${ends.join(' and ')}`
}

async function doctor({ folder }: Stage, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const running = antiphon(['doctor', ...args], { ...env, ANTIPHON_TRIAL: undefined }, join(folder, 'work'))
  return (await endOf(running, 120)) ?? { code: null, stdout: '', stderr: 'it did not end' }
}

/** Killed in the middle of a tool, and healed. */
async function killed(stage: Stage): Promise<void> {
  const { program, folder, outcome } = stage
  rmSync(join(folder, 'work/started'), { force: true })
  const running = run(stage, program.run(promptFor(`touch started; sleep 600; ${printReal}`)))
  if (!(await hasStarted(stage, running)))
    return stage.fail(`it ran no tool: ${briefly({ code: null, ...running.heard })}`)
  await sleep(3_000)
  process.kill(-(running.child.pid ?? 0), 'SIGKILL')
  await running.ended
  killMarked(`ANTIPHON_TRIAL=${folder}`)

  if (program.breaksOnResume) return
  outcome.killed = await healed(stage, program.isKnown)
}

/** Resumed before the doctor came: the provider rejects what the program made of its session. Then the doctor heals it. */
async function brokenByResume(stage: Stage): Promise<void> {
  const said = await endOf(resume(stage), 180)
  if (said?.code === 0) stage.fail(`resumed before the doctor came, it answered: ${briefly(said)}`)
  stage.outcome.killed = `broken by its resume, ${await healed(stage, true)}`
}

async function healed(stage: Stage, isKnown: boolean): Promise<'healed' | 'left alone'> {
  const { program, env, folder } = stage
  const store = join(folder, 'home', program.store)
  const before = snapshot(store)
  const fixed = await doctor(stage, ['--fix', '--backup', join(folder, 'backups'), store], env)
  const changed = differences(before, snapshot(store))
  const again = await doctor(stage, [store], env)
  if (isKnown && changed.length === 0) stage.fail(`the doctor healed nothing: ${briefly(fixed)}`)
  if (isKnown && (fixed.code !== 0 || again.code !== 0))
    stage.fail(`what the doctor healed is not healthy: ${briefly(again)}`)
  if (!isKnown && changed.length > 0)
    stage.fail(`the doctor changed the store of a program that it does not know: ${changed}`)
  return changed.length > 0 ? 'healed' : 'left alone'
}

/** Resumed with the program's own option. */
async function resumed(stage: Stage): Promise<void> {
  const { outcome } = stage
  const said = await endOf(resume(stage), 180)
  if (said?.stdout.includes('It said:')) outcome.killed += ', resumed'
  else stage.fail(`resumed, it did not answer: ${briefly(said)}`)
}

/** What was sent is what came, to the byte. */
function compare({ outcome, fail }: Stage, sent: readonly Recorded[], came: readonly Recorded[]): void {
  const left = [...came]
  for (const request of sent.filter(({ headers }) => headers.upgrade === undefined)) {
    const index = left.findIndex(other => other.path === request.path && other.body.equals(request.body))
    const isThere = index >= 0
    if (isThere) left.splice(index, 1)
    outcome.through += isHistory(request) ? 1 : 0
    outcome.same += isHistory(request) && isThere ? 1 : 0
    if (!isThere) fail(`the proxy changed ${request.method} ${request.path} (${request.body.length} bytes)`)
  }
}
