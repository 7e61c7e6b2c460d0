// Sends a file as it is, and tells how far it is: fetch cannot say that, XMLHttpRequest can.
import { ApiFailure, failureFrom } from '#/api/errors'
import { session } from '#/api/session'

interface Options {
  method?: 'POST' | 'PUT'
  onShare?: (share: number) => void
}

export async function sendFile<T>(path: string, file: Blob, options: Options = {}): Promise<T> {
  await session.ready()
  const first = await sent(path, file, options)
  if (first.status !== 401) return parsed<T>(first)
  await session.renew()
  return parsed<T>(await sent(path, file, options))
}

function sent(path: string, file: Blob, { method = 'POST', onShare }: Options) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('X-Requested-With', 'octavo')
    for (const [name, value] of Object.entries(session.tenantHeader()))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onShare?.(total ? loaded / total : 0)
    request.onload = () => resolve(request)
    request.onerror = () => reject(new ApiFailure({ kind: 'unreachable' }))
    request.send(file)
  })
}

function parsed<T>(request: XMLHttpRequest): T {
  const { status, responseText } = request
  if (status >= 200 && status < 300) return JSON.parse(responseText) as T
  const type = request.getResponseHeader('content-type') ?? ''
  throw new ApiFailure(failureFrom(status, responseText, type))
}
