import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../../src/integrations/proxy/metrics.ts'
import { createTape } from '../../../src/observe/tape/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { programFile } from '../../programs.ts'
import { root } from '../../repository.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const compose = parse(read('deploy/compose.yaml'))
const folder = mkdtempSync(join(tmpdir(), 'antiphon-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The instructions of the Dockerfile, with lines that go on joined. */
const instructions = read('deploy/Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    return { line, name, rest }
  })
const instruction = (name: string): string => instructions.findLast(one => one.name === name)?.rest ?? ''
const copies = instructions.filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
const copied = copies.flatMap(({ rest }) => rest.split(' ').slice(0, -1))

describe('[C128] deploy/ runs the proxy in a container, with metrics', () => {
  test('the Dockerfile has known instructions, and copies what exists and is not ignored', () => {
    const known = 'FROM WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ')
    expect(instructions.filter(({ name }) => !known.includes(name)).map(({ line }) => line)).toEqual([])
    expect(instructions[0]).toMatchObject({ name: 'FROM' })
    expect(copied).toContain('src')
    expect(copied.filter(path => !existsSync(join(root, path)))).toEqual([])
    const sent = read('deploy/Dockerfile.dockerignore')
      .split('\n')
      .flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))
    expect(copied.filter(path => !sent.includes(path))).toEqual([])
    expect(instruction('USER')).toBe('node')
    for (const name of ['ENTRYPOINT', 'CMD']) expect(JSON.parse(instruction(name))).toBeInstanceOf(Array)
    const [major] = JSON.parse(read('package.json')).engines.node.match(/\d+/)
    for (const { rest } of instructions.filter(({ name }) => name === 'FROM'))
      expect(Number(/^node:(\d+)/.exec(rest)?.[1])).toBeGreaterThanOrEqual(Number(major))
  })

  test('what the build reads of the repository is copied', () => {
    const build = read('scripts/build.ts')
    const settings = [...build.matchAll(/'(tsconfig[\w.]*json)'/g)].map(([, name = '']) => name)
    const extended = settings.map(name => JSON.parse(read(name)).extends?.replace('./', ''))
    expect(
      [...settings, ...extended, 'scripts/build.ts', 'package.json'].filter(path => path && !copied.includes(path)),
    ).toEqual([])
  })

  test('compose.yaml has the services, files that exist, and ports of this machine only', () => {
    expect(Object.keys(compose.services)).toEqual(['proxy', 'prometheus', 'grafana'])
    const { proxy, prometheus, grafana } = compose.services
    expect(existsSync(resolve(root, 'deploy', proxy.build.context, proxy.build.dockerfile))).toBe(true)
    const sources = [prometheus, grafana].flatMap(({ volumes }) =>
      volumes.map((volume: string) => volume.split(':')[0]),
    )
    for (const source of sources)
      if (source.startsWith('.')) expect(existsSync(join(root, 'deploy', source)), source).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(source)
    for (const { ports } of [proxy, prometheus, grafana])
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:(\d+):\1$/)])
    expect(proxy.ports[0]).toContain(`:${instruction('EXPOSE')}`)
    for (const { image } of [prometheus, grafana]) expect(image).toMatch(/^[\w/]+:v?\d+\.\d+\.\d+$/)
    const [scrape] = parse(read('deploy/prometheus.yml')).scrape_configs
    expect(scrape.static_configs).toEqual([{ targets: [`proxy:${instruction('EXPOSE')}`] }])
  })

  test('the dashboard asks for metrics that the proxy has, with labels that they have', async () => {
    const metrics = createMetrics()
    metrics.start()
    metrics.end('openai', 200)
    metrics.report({
      route: 'openai',
      format: 'openai-chat',
      dialect: 'openai',
      repairs: [{ rule: 'unanswered-call' }],
      rules: { 'unanswered-call': 1 },
    } as never)
    metrics.unhealed('signed')
    metrics.rejection('fact', true)
    metrics.proxyError('bad-request')
    metrics.recordAddedTime(0.1)
    const text = await metrics.text()
    const board = JSON.parse(read('deploy/grafana/antiphon.json'))
    const queries: string[] = board.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    )
    const asked = new Set(queries.flatMap(query => query.match(/antiphon_\w+/g) ?? []))
    const there = new Set([...text.matchAll(/^(antiphon_\w+)/gm)].map(([, name = '']) => name))
    expect([...asked].filter(name => !there.has(name))).toEqual([])
    const families = [...text.matchAll(/^# TYPE (antiphon_\w+)/gm)].map(([, name = '']) => name)
    expect(families.filter(name => ![...asked].some(one => one.startsWith(name)))).toEqual([])
    for (const query of queries) {
      const labels = /by \(([\w, ]+)\)/.exec(query)?.[1]?.split(', ') ?? []
      const [name = ''] = query.match(/antiphon_\w+/) ?? []
      const line = text.split('\n').find(one => one.startsWith(name)) ?? ''
      for (const label of labels) expect(line, query).toContain(`${label}="`)
    }
    const [source] = parse(read('deploy/grafana/provisioning/datasources/prometheus.yml')).datasources
    for (const { datasource } of board.panels) expect(datasource.uid).toBe(source.uid)
    const [provider] = parse(read('deploy/grafana/provisioning/dashboards/antiphon.yml')).providers
    const mounted = compose.services.grafana.volumes
      .find((volume: string) => volume.includes('antiphon.json'))
      .split(':')[1]
    expect(dirname(mounted)).toBe(provider.options.path)
    expect(compose.services.grafana.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(mounted)
  })

  test('the command of the container starts, and is measured under the name of the service', async () => {
    await using provider = await startStrict()
    const [, , ...options] = JSON.parse(instruction('ENTRYPOINT')) as string[]
    const targets = (compose.services.proxy.command as string[]).map(word =>
      word.replace(/=https:.*/, `=${provider.url}`),
    )
    const child: ChildProcess = spawn(process.execPath, [
      programFile('antiphon'),
      ...options,
      ...targets,
      '--port',
      '0',
    ])
    try {
      let said = ''
      child.stdout?.on('data', chunk => {
        said += chunk
      })
      await expect.poll(() => said, { timeout: 120_000 }).toMatch(/:(\d+)/)
      const port = Number(/http:[^"]*?:(\d+)/.exec(said)?.[1])
      expect(await get(port, '/healthz')).toContain('"status":"ok"')
      expect(await get(port, '/metrics')).toContain('antiphon_proxy_in_flight')
    } finally {
      child.kill('SIGKILL')
    }
  })
})

const get = (port: number, path: string): Promise<string> =>
  new Promise((done, fail) => {
    request({ host: '127.0.0.1', port, path, headers: { host: 'proxy:8377' } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => done(text))
    })
      .on('error', fail)
      .end()
  })

describe('[C129] the GitHub Action checks the histories and tapes of a repository', () => {
  const action = parse(read('action.yml'))
  const [, step] = action.runs.steps
  const script = /\$GITHUB_ACTION_PATH\/([\w./-]+)/.exec(step.run)?.[1] ?? ''

  const call = { id: 'call_1', type: 'function', function: { name: 'refund', arguments: '{}' } }
  const broken = JSON.stringify([
    { role: 'user', content: 'Refund ``` it.' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ])

  function repository(files: Record<string, string>): string {
    const place = mkdtempSync(join(folder, 'repository-'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, name)), { recursive: true })
      writeFileSync(join(place, name), text)
    }
    return place
  }

  function run(cwd: string, inputs: Record<string, string> = {}) {
    const given = (name: string): string => inputs[name] ?? action.inputs[name].default
    const [summary, output] = [join(cwd, '.summary'), join(cwd, '.output')]
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script)], {
      ...{ cwd, encoding: 'utf8' },
      env: {
        ...process.env,
        ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
        ...{ ANTIPHON_PATHS: given('paths'), ANTIPHON_FOR: given('for'), ANTIPHON_WARN_ONLY: given('warn-only') },
        ANTIPHON_COMMAND: JSON.stringify([process.execPath, programFile('antiphon')]),
      },
    })
    expect(stderr).toBe('')
    return { status, stdout, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8') }
  }

  /** A tape with a request that its provider rejects. */
  function tape(): string {
    const recorded: string[] = []
    const recorder = createTape({ write: line => recorded.push(line), now: () => 0 })
    const url = 'https://api.openai.com/v1/chat/completions'
    const request = recorder.request({ url, body: JSON.stringify({ model: 'gpt-5', messages: JSON.parse(broken) }) })
    recorder.response(request, { status: 400, body: '{}' })
    return recorded.join('')
  }

  test('it is a composite action whose script, inputs and outputs exist', () => {
    expect(action.runs.using).toBe('composite')
    expect(existsSync(join(root, script))).toBe(true)
    expect(Object.values(step.env)).toEqual(Object.keys(action.inputs).map(name => `\${{ inputs.${name} }}`))
    for (const name of Object.keys(step.env)) expect(read(script)).toContain(name)
    // A value in the text of a command would be run by the shell.
    expect(step.run).not.toContain('{{')
    expect(action.outputs.broken.value).toBe(`\${{ steps.${step.id}.outputs.broken }}`)
    expect(matchesGlob('a/b.tape', action.inputs.paths.default.trim().split('\n').at(-1))).toBe(true)
  })

  test('healthy files pass, and the summary lists them', () => {
    const { status, stdout, summary, output } = run(
      repository({ 'a/chat.history.json': '[{"role":"user","content":"Hi"}]' }),
    )
    expect({ status, stdout, output }).toEqual({ status: 0, stdout: '1 files, 0 broken\n', output: 'broken=0\n' })
    expect(summary).toContain('| a/chat.history.json | healthy |')
  })

  test('broken and unreadable files fail, with annotations and the drawing', () => {
    const cwd = repository({
      ...{ 'chat.history.json': broken, 'a,b.history.json': '{', 'calls.tape': tape() },
      ...{ 'node_modules/x/chat.history.json': broken, 'other.json': broken },
    })
    const { status, stdout, summary, output } = run(cwd)
    expect({ status, output }).toEqual({ status: 1, output: 'broken=3\n' })
    expect(stdout).toContain('::error file=chat.history.json,title=the history is broken::error[unanswered-call]')
    expect(stdout).toContain('::error file=a%2Cb.history.json,title=it cannot be checked::antiphon: ')
    expect(summary).toContain('| chat.history.json | **broken** |')
    expect(summary).toContain('### chat.history.json\n\n```')
    expect(summary).toMatch(/### calls\.tape\n\n```\n[\s\S]*✗/)
    expect(summary).not.toContain('node_modules')
    expect(run(cwd, { 'warn-only': 'true' }).status).toBe(0)
    expect(run(cwd, { paths: 'other.json', for: 'mistral' }).summary).toContain('for mistral')
  })

  test('patterns that fit nothing are a warning', () => {
    const { status, stdout } = run(repository({}), { paths: '*.none' })
    expect(status).toBe(0)
    expect(stdout).toContain('::warning::no file fits *.none')
  })
})
