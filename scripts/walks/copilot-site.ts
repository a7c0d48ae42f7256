import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, start, until } from '../programs/processes.ts'
import { freePort, home, stageApps } from './site.ts'

/** The app of docs/copilotkit.md: typed, built, and with two servers. That of the runtime can be killed and started again. */
export class CopilotSite implements AsyncDisposable {
  readonly url: string
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #pagePort: number
  #page: Running | undefined
  #runtime: Running | undefined

  private constructor(folder: string, port: number, pagePort: number, modelUrl: string) {
    this.#folder = folder
    this.#pagePort = pagePort
    this.url = `http://127.0.0.1:${pagePort}`
    this.#env = {
      ...process.env,
      ...{ OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: 'any', PORT: String(port) },
      ...{ NODE_ENV: 'production', NO_COLOR: '1', COPILOTKIT_TELEMETRY_DISABLED: 'true' },
    }
  }

  static async build(modelUrl: string, say: (line: string) => void): Promise<CopilotSite> {
    const source = join(home, 'apps/copilotkit')
    const folder = join(await stageApps(say, source), 'app')
    rmSync(folder, { recursive: true, force: true })
    cpSync(source, folder, { recursive: true })
    const site = new CopilotSite(folder, await freePort(), await freePort(), modelUrl)
    await site.#finish('typescript/bin/tsc')
    await site.#finish('vite/bin/vite.js', 'build')
    site.#page = site.#run('vite/bin/vite.js', ['preview', '--host', '127.0.0.1', '--port', String(site.#pagePort)])
    return site
  }

  async start(): Promise<void> {
    const running = start(process.execPath, ['--no-warnings', 'server.ts'], { cwd: this.#folder, env: this.#env })
    this.#runtime = running
    const isUp = async () => (await fetch(`${this.url}/api/copilotkit/info`).catch(() => undefined))?.ok === true
    for (let tries = 0; !(await isUp()); tries++) {
      if (tries === 300 || running.child.exitCode !== null)
        throw new Error(`the runtime does not start: ${running.heard.stdout}\n${running.heard.stderr}`)
      await until(() => running.child.exitCode !== null, 0.2)
    }
  }

  /** As a crash. */
  kill(): Promise<void> {
    return end(this.#runtime)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#runtime)
    await end(this.#page)
  }

  #run(file: string, args: readonly string[]): Running {
    const program = join(this.#folder, '../node_modules', file)
    return start(process.execPath, ['--no-warnings', program, ...args], { cwd: this.#folder, env: this.#env })
  }

  async #finish(file: string, ...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await this.#run(file, args).ended
    if (code !== 0) throw new Error(`${file} fails: ${stdout}\n${stderr}`)
  }
}

async function end(running: Running | undefined): Promise<void> {
  const { child } = running ?? {}
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}
