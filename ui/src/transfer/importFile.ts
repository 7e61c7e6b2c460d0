// A file is announced, sent, and handed to a job profile: FOLIO's three steps.
import { post } from '#/api/client'
import type { Profile } from './profiles'
import { sendFile } from './upload'

interface Definition {
  id: string
  fileDefinitions: { id: string; jobExecutionId: string }[]
}

const ROOT = '/data-import/uploadDefinitions'

/** The id of the job. */
export async function importFile(
  file: File,
  profile: Profile,
  onShare: (share: number) => void,
): Promise<string> {
  const announced = await post<Definition>(ROOT, {
    fileDefinitions: [
      { name: file.name, size: file.size, uiKey: `${file.name}${file.lastModified}` },
    ],
  })
  const [definition] = announced.fileDefinitions
  if (!definition) throw new Error('invariant: one file was announced')
  const stored = await sendFile<Definition>(
    `${ROOT}/${announced.id}/files/${definition.id}`,
    file,
    { onShare },
  )
  await post(`${ROOT}/${announced.id}/processFiles`, {
    uploadDefinition: stored,
    jobProfileInfo: {
      id: profile.id,
      name: profile.name,
      dataType: profile.dataType ?? 'MARC',
    },
  })
  return definition.jobExecutionId
}
