// A server that a test can end and start again, on its own data. OCTAVO_E2E_CLIENT names a built client
// (ui/dist/files) that is served in place of the one inside the program.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Front, startFront } from './front'

const run = promisify(execFile)
export const PASSWORD = 'admin-e2e-1'
const START_MS = 120_000
/** Between the port of the front and that of the server behind it. */
const BEHIND = 100

export function program(): string | undefined {
  const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target')
  return [process.env.OCTAVO_BIN, join(target, 'debug/octavo')].find(
    (path) => path && existsSync(path),
  )
}

export class Octavo {
  readonly origin: string
  private readonly listen: string
  private readonly env: NodeJS.ProcessEnv
  private readonly data = mkdtempSync(join(tmpdir(), 'octavo-e2e-'))
  private child: ChildProcess | undefined
  private front: Front | undefined
  private readonly client = process.env.OCTAVO_E2E_CLIENT

  constructor(host: string, port: number) {
    this.origin = `http://${host}:${port}`
    this.listen = `${host}:${this.client ? port + BEHIND : port}`
    // As root, PostgreSQL runs as another user, who has to enter it.
    chmodSync(this.data, 0o755)
    this.env = {
      ...process.env,
      OCTAVO_DATA_DIR: this.data,
      OCTAVO_ADMIN_PASSWORD: PASSWORD,
      // The workbench shows what concerns the server to these libraries only.
      OCTAVO_OPERATORS: 'e2e0,e2e1',
    }
  }

  async start(): Promise<void> {
    const path = program()
    if (!path)
      throw new Error('no octavo program: run cargo build -p octavo-server, or set OCTAVO_BIN')
    this.child = spawn(path, ['serve', '--workbench', '--listen', this.listen], {
      env: this.env,
      stdio: 'ignore',
    })
    await answers(`http://${this.listen}/_/version`)
    if (this.client) {
      this.front ??= await startFront(this.origin, `http://${this.listen}`, this.client)
      this.front.isUp = true
    }
  }

  async makeTenant(name: string): Promise<void> {
    await run(program() ?? '', ['tenant', 'create', name, '--sample'], { env: this.env })
  }

  /** As a power failure does. */
  kill(): Promise<void> {
    return this.end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM')
    this.front?.close()
    rmSync(this.data, { recursive: true, force: true })
  }

  private async end(signal: NodeJS.Signals) {
    const { child } = this
    if (this.front) this.front.isUp = false
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await ended
  }
}

async function answers(url: string) {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resume) => setTimeout(resume, 200))
  }
  throw new Error(`the server did not answer at ${url}`)
}
