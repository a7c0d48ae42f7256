/**
 * What the GitHub Action runs: checks the histories and tapes of a repository, marks broken files, and writes the drawings of tapes and the
 * diagnostics of histories into the job summary.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, globSync, mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const { ANTIPHON_PATHS = '', ANTIPHON_FOR = '', ANTIPHON_WARN_ONLY, ANTIPHON_COMMAND } = process.env
const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, RUNNER_TEMP = tmpdir() } = process.env

const command = ANTIPHON_COMMAND ? JSON.parse(ANTIPHON_COMMAND) : installed()
const repository = realpathSync('.')

const patterns = ANTIPHON_PATHS.split('\n')
  .map(line => line.trim())
  .filter(line => line !== '')
const files = [...new Set(patterns.flatMap(pattern => globSync(pattern, { exclude: isForeign })))].sort()
const notRegular = 'it is not a regular file, or its name is not UTF-8'
const results = files.map(check)
const broken = results.filter(({ code }) => code !== 0)

for (const { file, code, first } of broken)
  annotate(code === 1 ? 'the history is broken' : 'it cannot be checked', file, first)
write(GITHUB_STEP_SUMMARY, summary())
write(GITHUB_OUTPUT, `broken=${broken.length}\n`)
console.log(`${files.length} files, ${broken.length} broken`)
if (files.length === 0) console.log(`::warning::no file fits ${escaped(patterns.join(', '))}`)
process.exitCode = broken.length > 0 && ANTIPHON_WARN_ONLY !== 'true' ? 1 : 0

function isForeign(name) {
  return name === 'node_modules' || name === '.git'
}

/** Installed outside of the repository, whose `.npmrc` or `node_modules` may be those of an attacker. */
function installed() {
  const { name, version, bin } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  const cwd = mkdtempSync(join(RUNNER_TEMP, 'antiphon-'))
  // Without `--prefix` npm would look for a project in the folders above.
  const args = ['install', '--prefix', cwd, '--ignore-scripts', `${name}@${version}`]
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${name}@${version} cannot be installed`)
  return [process.execPath, join(cwd, 'node_modules', name, bin[name])]
}

function check(file) {
  // A link, also of a folder, may lead out of the repository, to a file with secrets.
  if (!isOwn(file)) return { file, code: 2, first: notRegular, said: notRegular }
  const provider = ANTIPHON_FOR === '' ? [] : [`--for=${ANTIPHON_FOR}`]
  const { code, said } = run(['check', ...provider, '--', file])
  const drawing = code === 1 && file.endsWith('.tape') ? run(['tape', 'show', '--', file]).said : ''
  const [first = ''] = said.split('\n')
  return { file, code, first, said: drawing === '' ? said : `${drawing}\n\n${said}` }
}

function isOwn(file) {
  try {
    return realpathSync(file) === resolve(repository, file) && statSync(file).isFile()
  } catch {
    return false
  }
}

function run(args) {
  const [program, ...before] = command
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '120' }
  const { status, stdout, stderr, error } = spawnSync(program, [...before, ...args], {
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 28,
  })
  if (error) return { code: 2, said: error.message }
  return { code: status ?? 2, said: `${stdout}\n${stderr}`.trim() }
}

/** GitHub takes at most a megabyte; the first broken files are shown whole. */
function summary() {
  const rows = results
    .slice(0, 500)
    .map(
      ({ file, code }) =>
        `| ${cell(file)} | ${code === 0 ? 'healthy' : code === 1 ? '**broken**' : '**unreadable**'} |`,
    )
  let text = `## Histories\n\n${files.length} files, ${broken.length} broken.\n`
  if (rows.length > 0) text += `\n| file | |\n|---|---|\n${rows.join('\n')}\n`
  for (const { file, said } of broken) {
    const block = `\n### ${cell(file)}\n\n${fenced(said.slice(0, 60_000))}\n`
    if (Buffer.byteLength(text) + Buffer.byteLength(block) > 900_000) return `${text}\nThe job's log lists the rest.\n`
    text += block
  }
  return text
}

/** A fence that is longer than any in the text. */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

function cell(name) {
  return name.replaceAll(/[\\`*_|<>[\]]/g, '\\$&').replaceAll(/[\r\n]/g, ' ')
}

function annotate(title, file, message) {
  console.log(
    `::error file=${escaped(file).replaceAll(':', '%3A').replaceAll(',', '%2C')},title=${title}::${escaped(message)}`,
  )
}

function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function write(file, text) {
  if (file) appendFileSync(file, text)
}
