-- Makes wrk send what the command line says after `--`: a file of lines, the number of lines to pass over, the path
-- to which each line is posted (empty where each is a path to read), and the pause before each request of a
-- connection, in milliseconds: so long on average, and as different as those of visitors who know nothing of each
-- other. Without a file, wrk's own request is sent. At the end one line of JSON tells the result.
function init(args)
  local file, offset, post, pause = args[1], tonumber(args[2]), args[3], tonumber(args[4])
  if file ~= "" then
    local requests = {}
    for line in io.lines(file) do
      requests[#requests + 1] = post == "" and wrk.format("GET", line) or wrk.format("POST", post, nil, line)
    end
    local position = offset
    function request()
      position = position + 1
      return requests[(position - 1) % #requests + 1]
    end
  end
  if pause > 0 then
    math.randomseed(os.time() + offset)
    function delay()
      return math.floor(-math.log(1 - math.random()) * pause + 0.5)
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%f,"p99":%f,"max":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
