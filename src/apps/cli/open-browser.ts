import { spawn } from 'node:child_process'

/** Opens an address in the user's browser, without a shell. Whoever has none opens it by hand. */
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
