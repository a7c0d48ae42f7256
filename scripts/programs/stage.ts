import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ended, Running } from './processes.ts'
import type { Program } from './programs.ts'

/** Nothing of this machine but the programs of its system, and no way out of it. */
export function environment(program: Program, url: string, folder: string): NodeJS.ProcessEnv {
  const [home, work] = [join(folder, 'home'), join(folder, 'work')]
  for (const path of [home, work, join(home, program.store)]) mkdirSync(path, { recursive: true })
  for (const [name, text] of Object.entries(program.files?.(url, work) ?? {})) {
    const file = resolve(home, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const nowhere = 'http://127.0.0.1:9'
  return {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    TERM: 'dumb',
    NO_COLOR: '1',
    ANTIPHON_TRIAL: folder,
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere },
    ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
    ...program.env(url, home),
  }
}

/** How a program ends, or nothing if it takes longer. */
export async function endOf({ child, ended }: Running, seconds: number): Promise<Ended | undefined> {
  const end = await Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })])
  if (!end) child.kill('SIGKILL')
  return end
}

export const briefly = (said: Ended | undefined): string =>
  said ? `exit ${said.code}, ${`${said.stdout}${said.stderr}`.trim().slice(-400)}` : 'it did not end'
