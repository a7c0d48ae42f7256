import { spawn } from 'node:child_process'

/** Opens a URL in the user's browser, without a shell. Does nothing if there is none: the URL is printed anyway. */
export function openBrowser(url: string, platform: string = process.platform): void {
  const [command, ...args]: Opener = openers[platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

type Opener = readonly [command: string, ...args: string[]]

const openers: Record<string, Opener | undefined> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
