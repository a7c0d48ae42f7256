interface Item {
  readonly text: string
  readonly link: string
}

interface Group {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly (Item | Group)[]
}

/** Pages grouped by the reader's situation; other pages are linked from these and found by search. */
export const sidebar: readonly Group[] = [
  {
    text: 'I have a 400',
    items: [
      { text: 'Start here: known errors', link: '/400' },
      { text: 'From a 400 to a bug report', link: '/debug-a-400' },
      { text: 'Rejections and repairs', link: '/rejections' },
      { text: 'Rules: every defect', link: '/rules/' },
      { text: 'The command line', link: '/command-line' },
      { text: 'Stuck sessions: the doctor', link: '/doctor' },
      { text: 'The viewer', link: '/view' },
      { text: 'For agents: MCP', link: '/mcp' },
    ],
  },
  {
    text: 'I build an agent',
    items: [
      { text: 'Introduction', link: '/introduction' },
      { text: 'Repairing histories in code', link: '/heal' },
      { text: 'Healing at fetch', link: '/fetch' },
      { text: 'The proxy', link: '/proxy' },
      { text: 'The journal', link: '/journal' },
      { text: 'The journal in PostgreSQL', link: '/postgres' },
      { text: 'Strict providers', link: '/strict' },
      { text: 'In a browser', link: '/browser' },
      { text: 'Examples', link: '/examples/' },
    ],
  },
  {
    text: 'Frameworks',
    items: [
      { text: 'AI SDK', link: '/ai-sdk' },
      { text: 'LangChain and LangGraph', link: '/langchain' },
      { text: 'OpenAI Agents SDK', link: '/openai-agents' },
      { text: 'Mastra', link: '/mastra' },
      { text: 'AG-UI', link: '/ag-ui' },
      { text: 'CopilotKit', link: '/copilotkit' },
      { text: 'AWS SDK', link: '/aws-sdk' },
      { text: 'OpenTelemetry', link: '/opentelemetry' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'API', link: '/api' },
      { text: 'Dialects', link: '/dialects' },
      { text: 'Error codes', link: '/errors' },
      { text: 'Agent programs', link: '/programs' },
      { text: 'Dependencies', link: '/dependencies' },
      { text: 'Changelog', link: '/changelog' },
      { text: 'All pages', link: '/pages' },
    ],
  },
  {
    text: 'How it works',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Promises', link: '/promises' },
      { text: 'Security', link: '/security' },
      { text: 'Decisions', link: '/decisions/0001-record-decisions' },
      { text: 'Measurements', link: '/bench/' },
      { text: 'The soak test', link: '/soak' },
      { text: 'Contributing', link: '/contributing' },
    ],
  },
]

export const nav: readonly (Item & { readonly target?: string })[] = [
  { text: 'I have a 400', link: '/400' },
  { text: 'I build an agent', link: '/introduction' },
  // A file of its own, not a page of the site: the router must not take it.
  { text: 'Playground', link: '/playground.html', target: '_self' },
]
