# Verifies events with Ruby's standard library only. For samples: `ruby verify.rb samples/*.json`. For a curl command from the
# console: `pbpaste | WEBHOOK_SECRET=whsec_... ruby verify.rb`.

require "json"
require "openssl"
require "shellwords"

TOLERANCE_S = 300

# Returns true for a genuine event of the last five minutes. The body is a binary string with the received bytes.
def genuine?(secret, headers, body, now = Time.now.to_i)
  key = secret.delete_prefix("whsec_").unpack1("m")
  id, timestamp = headers.values_at("webhook-id", "webhook-timestamp")
  return false unless timestamp.match?(/\A\d+\z/) && (now - timestamp.to_i).abs <= TOLERANCE_S

  signed = "#{id}.#{timestamp}.".b + body
  expected = "v1,#{[OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")}"
  headers["webhook-signature"].split(" ").any? { |one| OpenSSL.secure_compare(one, expected) }
end

# Returns the headers and the body in a curl command.
def pasted(line)
  words = line.shellsplit.each_cons(2).group_by(&:first).transform_values { |pairs| pairs.map(&:last) }
  [words["-H"].to_h { |header| header.split(": ", 2) }, words["--data-raw"].first]
end

if $PROGRAM_NAME == __FILE__
  if ARGV.empty?
    is_genuine = genuine?(ENV.fetch("WEBHOOK_SECRET"), *pasted($stdin.binmode.read))
    puts is_genuine ? "genuine" : "not genuine"
    exit(is_genuine)
  end
  refused = ARGV.reject do |name|
    sample = JSON.parse(File.read(name, encoding: "UTF-8"))
    genuine?(sample["secret"], sample["headers"], sample["body_base64"].unpack1("m"))
  end
  puts "#{ARGV.size - refused.size} genuine, #{refused.size} refused: #{refused.join(" ")}"
  exit(refused.empty? ? 0 : 1)
end
