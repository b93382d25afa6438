// dynalite as a separate process, so that its exceptions do not end the test. Prints its address.
import dynalite from 'dynalite';

const server = dynalite({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
