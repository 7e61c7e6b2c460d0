"""An FTP server (pyftpdlib) on the loopback for tests: prints its port; keeps files in the folder that it is given."""
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

folder, username, password = sys.argv[1:4]
authorizer = DummyAuthorizer()
authorizer.add_user(username, password, folder, perm="elradfmw")
FTPHandler.authorizer = authorizer
FTPHandler.auth_failed_timeout = 0
server = FTPServer(("127.0.0.1", 0), FTPHandler)
print(server.address[1], flush=True)
server.serve_forever()
