import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A browser that is here, and how it is started. */
export interface Chromium {
  readonly executablePath: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * The browser of `ANTIPHON_CHROMIUM`; else the one that npm installed, which is for Linux on x64; else one that is
 * installed on this machine. Undefined if there is none.
 */
export async function chromiumPath(): Promise<Chromium | undefined> {
  const wanted = process.env.ANTIPHON_CHROMIUM
  if (wanted) return { executablePath: wanted, args }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const inflated = await inflatedChromium().catch(() => undefined)
    if (inflated) return inflated
  }
  const installed = places().find(path => existsSync(path))
  return installed === undefined ? undefined : { executablePath: installed, args }
}

/** What is said where there is none. */
export const noChromium =
  'no Chromium is here, so the tests of the viewer in a browser are left out: install Chromium or Chrome, or name one in ANTIPHON_CHROMIUM'

/** No sandbox, since tests may run as root; and nothing that a browser does by itself. */
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--font-render-hinting=none'],
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

const root = join(import.meta.dirname, '../../../..')
const run = promisify(execFile)

/**
 * The package holds the browser compressed. It is inflated in a folder of its own, which gets its name at once, so that
 * no process starts one that another process is still writing.
 */
async function inflatedChromium(): Promise<Chromium | undefined> {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))
  const folder = join(tmpdir(), `antiphon-chromium-${version}`)
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(join(tmpdir(), 'antiphon-chromium-'))
    try {
      await run(process.execPath, ['--input-type=module', '-e', inflate], {
        cwd: root,
        // It goes into the temporary folder; and only there does it come with the libraries that a bare system lacks.
        env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      })
      writeFileSync(join(fresh, 'fonts.conf'), `<fontconfig><dir>${folder}/fonts</dir></fontconfig>`)
      renameSync(fresh, folder)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      if (!existsSync(folder)) throw error
    }
  }
  const executablePath = join(folder, 'chromium')
  const fonts = existsSync('/etc/fonts') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  const bare = { executablePath, args, env: fonts }
  const equipped = { ...bare, env: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } }
  if (await starts(bare)) return bare
  return (await starts(equipped)) ? equipped : undefined
}

const inflate = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"

/** It says its version, or goes on until it is stopped; without a library it ends at once. */
const starts = ({ executablePath, env }: Chromium): Promise<boolean> =>
  run(executablePath, ['--version', '--no-sandbox'], { env: { ...process.env, ...env }, timeout: 60_000 }).then(
    () => true,
    ({ killed }: { readonly killed?: boolean }) => killed === true,
  )

function places(): string[] {
  if (process.platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      name => `/Applications/${name}.app/Contents/MacOS/${name}`,
    )
  if (process.platform === 'win32')
    return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
      .filter(folder => folder !== undefined)
      .flatMap(folder =>
        [
          'Google/Chrome/Application/chrome.exe',
          'Chromium/Application/chrome.exe',
          'Microsoft/Edge/Application/msedge.exe',
        ].map(path => join(folder, path)),
      )
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
  return (process.env.PATH ?? '').split(':').flatMap(folder => names.map(name => join(folder, name)))
}
