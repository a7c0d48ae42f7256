import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../src/strict/index.ts'
import { read } from '../repository.ts'
import { packageHere } from './package-here.ts'
import { blocks, blocksIn } from './pages.ts'
import { openShell, type Shell } from './shell.ts'
import { script, setStage } from './stage.ts'

describe('the shell', { concurrent: true }, () => {
  test.for(blocksIn('sh').map(block => [`${block.page}, block ${block.number}`, block.code] as const))(
    '[GD4] the commands of %s run',
    async ([, code], { expect }) => {
      await onStage(async shell => {
        for (const command of commandsOf(code)) {
          if (/^npm |^npx create-/.test(command)) expect(isKnownToNpm(command), command).toBe(true)
          else if (isHere(command)) {
            const { code, said } = await shell.run(command)
            const found = /antiphon (check|doctor|tape|shrink)/.test(command) ? [0, 1] : [0]
            expect(found, `${command}\n${said}`).toContain(code)
          }
        }
      })
    },
  )

  test.for([...new Set(transcripts().map(({ page }) => page))])(
    '[GD5] what %s shows of the terminal is what the programs say',
    async (page, { expect }) => {
      await onStage(async shell => {
        for (const { command, shown } of transcripts().filter(one => one.page === page)) {
          if (!isHere(command)) continue
          const { said } = await shell.run(command)
          if (shown !== '') expect(said.trim().split('\n')).toEqual(shown.split('\n').map(cutShort))
        }
      })
    },
  )
})

test('[GD4] no block of code is of a kind that nothing runs or types', () => {
  const kinds = new Set(blocks.map(({ language }) => language))
  expect([...kinds].filter(kind => !['ts', 'tsx', 'sh', 'python', 'json', 'sql', ''].includes(kind))).toEqual([])
  // The page about the strict providers has its own test for these two.
  expect(new Set(blocksIn('python', 'json').map(({ page }) => page))).toEqual(new Set(['docs/strict.md']))
})

/** A page's commands, in a folder that has what they speak of. */
async function onStage(play: (shell: Shell) => Promise<void>): Promise<void> {
  const { folder, close } = packageHere()
  await using provider = await startStrict({ script: [...script] })
  const env = await setStage(folder, provider.url)
  try {
    await using shell = openShell({ cwd: folder, env, provider: provider.url })
    await play(shell)
  } finally {
    close()
  }
}

/** A machine without curl has nothing to show of it. */
const isHere = (command: string): boolean => !/^curl /.test(command) || !spawnSync('curl', ['--version']).error

/** One command a line, without what is said about it; quotes may hold several lines. */
function commandsOf(code: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of code.trim().split('\n')) {
    open += open === '' ? line : `\n${line}`
    if ((open.split("'").length - 1) % 2 === 1 || open.endsWith('\\')) continue
    commands.push(open.replace(/\s+# .*$/, ''))
    open = ''
  }
  return commands
}

function transcripts(): { page: string; command: string; shown: string }[] {
  return blocksIn('')
    .filter(({ code }) => code.startsWith('$ '))
    .flatMap(({ page, code }) =>
      code
        .trim()
        .split(/^\$ /m)
        .slice(1)
        .map(text => {
          const [command, ...shown] = text.trimEnd().split(/(?<!\\)\n/)
          return { page, command, shown: shown.join('\n') }
        }),
    )
}

/** A line that ends in three dots stands for one that goes on. */
const cutShort = (line: string): unknown =>
  line.endsWith(' ...') ? expect.stringContaining(line.slice(0, -' ...'.length)) : line

function isKnownToNpm(command: string): boolean {
  const { scripts } = JSON.parse(read('package.json') ?? '')
  const [, verb, name = verb] = command.split(' ')
  if (command === 'npm ci' || /^npm create |^npx create-/.test(command)) return true
  if (verb === 'install') return command.split(' ').slice(2).every(isInstalledHere)
  return Object.hasOwn(scripts, verb === 'run' ? name : verb)
}

/** What pages install is installed here too, or in an app of the walks. */
function isInstalledHere(name: string): boolean {
  const manifests = ['package.json', 'scripts/walks/package.json', 'scripts/walks/apps/copilotkit/package.json']
  const all = manifests.flatMap(file => {
    const { dependencies, devDependencies } = JSON.parse(read(file) ?? '')
    return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => [
      name,
      `${name}@${version}`,
    ])
  })
  return ['antiphon', ...all].includes(name)
}
