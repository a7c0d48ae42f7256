import { fork } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { programFile } from '../../programs.ts'
import type { Holdings } from './proxy-process.ts'

/** A proxy for one test in another process, that says what it holds. `first` is code that its threads run before anything else. */
export async function serveApart(to: string, first = '') {
  const code = `data:text/javascript,${encodeURIComponent(first)}`
  const child = fork(programFile('proxy-process'), [to], { execArgv: ['--expose-gc', '--import', code] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [url] = (await once(child, 'message')) as [string]
  const hold = async (): Promise<Holdings> => {
    child.send('what do you hold?')
    return (await once(child, 'message'))[0]
  }
  return { url, hold }
}
