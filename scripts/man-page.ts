import type { Command } from 'commander'
import { addCommands } from '../src/apps/cli/commands.ts'
import { program } from '../src/apps/cli/program.ts'

/** The man page of the command line, from its own help. */
export async function manPage(): Promise<string> {
  await addCommands(program, undefined)
  const lines = [
    '.TH ANTIPHON 1 "" "antiphon" "User Commands"',
    '.SH NAME',
    'antiphon \\- check and repair the message histories of tool-calling LLM conversations',
    '.SH SYNOPSIS',
    '.B antiphon',
    '.I command',
    '[\\fIoptions\\fR] [\\fIfile\\fR...]',
    '.SH DESCRIPTION',
    escaped(program.description()),
    '.PP',
    'A history is a JSON list of messages, a whole request body, or JSONL with one message or one request per line. It is also taken out of',
    'a curl command, a HAR, a log, Python or JavaScript values, and Markdown.',
    '.SH COMMANDS',
    ...program.commands.flatMap(command => section(command, 'antiphon')),
    '.SH EXIT STATUS',
    '0 healthy, warnings included; 1 errors; 2 unreadable, or a wrong option.',
    '.SH ENVIRONMENT',
    '.B NO_COLOR\nand\n.B FORCE_COLOR\ndecide on colours;\n.B ANTIPHON_TAPE\nis the file that programs record their requests to.',
  ]
  return `${lines.join('\n')}\n`
}

function section(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`
  return [
    `.SS "${escaped(`${name} ${command.usage()}`.trim())}"`,
    escaped(command.description()),
    ...command.options.flatMap(({ flags, description }) => ['.TP', `\\fB${escaped(flags)}\\fR`, escaped(description)]),
    ...command.commands.flatMap(one => section(one, name)),
  ]
}

/** Text that roff reads as text: no escapes, and no request at the beginning of a line. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^([.'])/gm, '\\&$1')
