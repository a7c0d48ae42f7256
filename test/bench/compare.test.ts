import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../repository.ts'

const bench = (words: string[]) =>
  spawnSync(process.execPath, [join(root, 'bench/run.ts'), ...words], { cwd: root, encoding: 'utf8' })

test('bench reports wrong arguments in one line, before it builds anything', () => {
  const cases: [string[], RegExp][] = [
    [['--compare', 'no-such-commit', 'start'], /^bench: unknown commit "no-such-commit": .*\n$/],
    [['--compare', '--quick'], /^bench: .*--compare.*\n$/],
    [['--compare', 'HEAD', 'starts'], /^bench: unknown part "starts" \(one of: heal, .*viewer\)\n$/],
    [['--only', 'heal,pull'], /^bench: unknown part "pull" .*\n$/],
    [['--fast'], /^bench: .*--fast.*--help.*\n$/],
  ]
  for (const [words, line] of cases) {
    const { status, stdout, stderr } = bench(words)
    expect({ words, status, stdout }).toEqual({ words, status: 2, stdout: '' })
    expect(stderr).toMatch(line)
  }
})

test('bench --help names every part and option', () => {
  const { status, stdout } = bench(['--help'])
  expect(status).toBe(0)
  for (const name of ['--compare COMMIT', '--only', '--quick', '--json', 'heal', 'viewer'])
    expect(stdout).toContain(name)
})
