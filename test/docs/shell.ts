import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a command said, errors included, and how it ended; a server that came up has not. */
export interface Outcome {
  readonly code: number | null
  readonly said: string
}

/** A shell on a stage. What goes on until it is stopped goes on beside the rest, until the shell is closed. */
export interface Shell extends AsyncDisposable {
  run(command: string): Promise<Outcome>
}

export interface Surroundings {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Stands in for all providers. */
  readonly provider: string
}

export function openShell({ cwd, env, provider }: Surroundings): Shell {
  const servers: ChildProcess[] = []
  let server = provider
  let backup = ''

  /** The command as it stands on the page, with what is not on this machine exchanged. */
  const local = (command: string): string =>
    command
      .replaceAll(/--to (\w+=)?https:\/\/\S+/g, (_, name = '') => `--to ${name}${provider}`)
      .replaceAll(/http:\/\/127\.0\.0\.1:(8377|4010)/g, () => server)
      .replaceAll('--port 4010', '--port 0')
      .replace('antiphon proxy', '$& --port 0')
      .replace('antiphon view', '$& --no-open')
      .replace('--restore BACKUP', () => `--restore '${backup}'`)
      .replace(/ &$/, '')

  const start = (line: string): ChildProcess =>
    spawn('sh', ['-c', `exec 2>&1\n${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })

  return {
    async run(command) {
      const line = local(command)
      if (isServer(line)) {
        const child = start(`exec ${line}`)
        servers.push(child)
        const said = await listen(child, address)
        server = address.exec(said)?.[0] ?? ''
        return { code: child.exitCode ?? 0, said }
      }
      const child = start(line)
      const said = await listen(child)
      backup = /backup: (.+)$/m.exec(said)?.[1] ?? backup
      const [gone] = servers.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
      if (gone) throw new Error(`a server ended by itself: ${gone.exitCode} ${gone.signalCode}`)
      return { code: child.exitCode, said }
    },
    async [Symbol.asyncDispose]() {
      for (const child of servers) {
        const gone = once(child, 'exit')
        if (child.kill()) await gone
      }
    },
  }
}

const address = /http:\/\/127\.0\.0\.1:\d+(?=\D)/

const isServer = (line: string): boolean => /antiphon (proxy|strict|view)/.test(line) && !/--(list|export)/.test(line)

/** What it says until its end, or until it says this. */
function listen(child: ChildProcess, words?: RegExp): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(said))
    child.stdout?.on('data', chunk => {
      said += chunk
      if (words?.test(said)) resolve(said)
    })
  })
}
