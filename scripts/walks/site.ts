import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { shortHash } from '../../src/core/ids.ts'
import { type Running, root, start, until } from '../programs/processes.ts'

export const home = import.meta.dirname
const run = promisify(execFile)

/** `start` is what docs/ai-sdk.md begins with. */
export type AppName = 'start' | 'next' | 'vite'

/** A temporary folder with the packages of a manifest from npm, and this package as it would be published. */
export async function stageApps(say: (line: string) => void, source = home): Promise<string> {
  const manifest = readFileSync(join(source, 'package.json'), 'utf8')
  const folder = join(tmpdir(), `antiphon-walks-${shortHash(manifest)}`)
  if (!existsSync(folder)) {
    say(`installing ${Object.keys(JSON.parse(manifest).dependencies).join(', ')}`)
    const draft = `${folder}.part`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft)
    cpSync(join(source, 'package.json'), join(draft, 'package.json'))
    await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: draft })
    renameSync(draft, folder)
  }
  const own = join(folder, 'node_modules/antiphon')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const [packed = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  await run('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', own])
  rmSync(join(folder, packed))
  return folder
}

/** One app, built, and its server, which can be killed and started again. */
export class Site implements AsyncDisposable {
  readonly url: string
  readonly name: AppName
  readonly effects: string
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv
  #running: Running | undefined

  private constructor(name: AppName, folder: string, port: number, modelUrl: string) {
    this.name = name
    this.url = `http://127.0.0.1:${port}`
    this.effects = join(folder, 'effects')
    this.#folder = folder
    this.#env = {
      ...process.env,
      ...{ OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: 'any', MODEL_URL: modelUrl },
      ...{ CHATS: join(folder, 'chats.db'), EFFECTS: this.effects },
      ...{ PORT: String(port), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    }
  }

  static async build(name: AppName, staged: string, modelUrl: string): Promise<Site> {
    const folder = join(staged, name)
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(home, 'apps', name), folder, { recursive: true })
    if (name !== 'start')
      cpSync(join(home, 'apps/shared'), name === 'next' ? join(folder, 'app') : folder, { recursive: true })
    const site = new Site(name, folder, await freePort(), modelUrl)
    const { code, stdout, stderr } = await site.#start('build').ended
    if (code !== 0) throw new Error(`${name} cannot be built: ${stdout}\n${stderr}`)
    return site
  }

  async start(): Promise<void> {
    const running = this.#start('start')
    this.#running = running
    const isUp = async () => (await fetch(`${this.url}/api/chat/none`).catch(() => undefined))?.ok === true
    for (let tries = 0; !(await isUp()); tries++) {
      if (tries === 300 || running.child.exitCode !== null)
        throw new Error(`${this.name} does not start: ${running.heard.stdout}\n${running.heard.stderr}`)
      await until(() => running.child.exitCode !== null, 0.2)
    }
  }

  /** As a crash: nothing is told to anybody. */
  async kill(): Promise<void> {
    const { child } = this.#running ?? {}
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill()
  }

  /** How often tools ran. */
  get effectCount(): number {
    return existsSync(this.effects) ? readFileSync(this.effects, 'utf8').split('\n').length - 1 : 0
  }

  #start(what: 'build' | 'start'): Running {
    const bin = (name: string, file: string) => join(this.#folder, '../node_modules', name, file)
    const next = [bin('next', 'dist/bin/next'), what, ...(what === 'start' ? ['-H', '127.0.0.1'] : [])]
    const args = {
      ...{ start: next, next },
      vite: what === 'build' ? [bin('vite', 'bin/vite.js'), 'build'] : ['server.ts'],
    }[this.name]
    return start(process.execPath, ['--no-warnings', ...args], { cwd: this.#folder, env: this.#env })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
