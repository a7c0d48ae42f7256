import type { Command } from 'commander'

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .summary('serve check, heal, explain and doctor to an agent (MCP)')
    .description(
      'Serve the Model Context Protocol on standard input and output, so that an agent can check and repair histories.',
    )
    .addHelpText(
      'after',
      `
Tools:
  check     what a provider would reject in a history, where and why
  heal      the repaired history; a file is changed only if the agent passes write: true
  explain   what a rule, or an error of a provider, means
  doctor    broken sessions of other programs on this machine; repaired only if the agent passes fix: true

Examples:
  claude mcp add antiphon -- npx -y antiphon mcp
  codex mcp add antiphon -- npx -y antiphon mcp

Exit codes: 0 when its input ends; 2 a wrong option.`,
    )
    .action(async () => {
      if (process.stdin.isTTY) process.stderr.write(`${forPeople}\n`)
      const { serveMcp } = await import('../../mcp/serve-mcp.ts')
      serveMcp()
    })
}

const forPeople =
  'antiphon: waiting for an agent on standard input. `antiphon mcp --help` says how to add this server to one; Ctrl+C stops it.'
