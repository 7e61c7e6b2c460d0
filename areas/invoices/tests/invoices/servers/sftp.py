"""An SFTP server (asyncssh) on the loopback for tests: prints its port; keeps files in the folder that it is given."""
import asyncio
import sys

import asyncssh

folder, username, password, key, port = sys.argv[1:6]


class Server(asyncssh.SSHServer):
    def password_auth_supported(self):
        return True

    def validate_password(self, name, word):
        return (name, word) == (username, password)


async def main():
    server = await asyncssh.create_server(
        Server, "127.0.0.1", int(port),
        server_host_keys=[asyncssh.generate_private_key(key)],
        sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=folder),
    )
    print(server.get_port(), flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
