import { spawn } from 'node:child_process'
import { windowsProgram } from '../../doctor/files/processes/windows-program.ts'

/** Opens a URL in the user's browser, without a shell. Does nothing if there is none: the URL is printed anyway. */
export function openBrowser(url: string, platform: string = process.platform): void {
  const [command, ...args] = openerOn(platform)
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function openerOn(platform: string): [command: string, ...args: string[]] {
  if (platform === 'win32') return [windowsProgram('rundll32.exe'), 'url.dll,FileProtocolHandler']
  return [platform === 'darwin' ? 'open' : 'xdg-open']
}
